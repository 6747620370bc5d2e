import { expect } from 'chai';
import type { Bus } from '#stores/bus.ts';
import { inProcesses, type Place } from './place.ts';

const news = Array.from({ length: 20 }, (_, n) => `news ${n} Ж"`);

/** What callers may rely on, of any adapter. */
export function busContract(adapter: string, makePlace: () => Promise<Place<Bus>>): void {
  describe(`Bus on ${adapter}`, () => {
    let place: Place<Bus>;
    let bus: Bus;
    let other: Bus;
    beforeEach(async () => {
      place = await makePlace();
      [bus, other] = [await place.open(), await place.open()];
    });
    afterEach(async () => {
      await Promise.all([bus.close(), other.close()]);
      await place.remove();
    });
    const listen = (from: Bus, topic: string): string[] => {
      const heard: string[] = [];
      from.subscribe(topic, (message) => heard.push(message));
      return heard;
    };
    /** As long as a message may take. */
    async function arrived(heard: readonly string[], count: number): Promise<void> {
      for (const end = Date.now() + 1_000; heard.length < count && Date.now() < end;) {
        await new Promise((done) => setTimeout(done, 5));
      }
    }
    /** For telling that nothing comes: after this nothing of what was published before can come. */
    async function settled(): Promise<void> {
      const heard = listen(other, 'settled');
      await bus.publish('settled', 'x');
      await arrived(heard, 1);
      expect(heard).to.deep.equal(['x']);
    }

    it('brings every message once and in order, here and elsewhere', async () => {
      const [here, there] = [listen(bus, 'news'), listen(other, 'news')];
      for (const message of news) await bus.publish('news', message);
      expect(here).to.deep.equal(news);
      await arrived(there, news.length);
      await settled();
      expect(there).to.deep.equal(news);
      await other.publish('news', 'last');
      await arrived(here, news.length + 1);
      expect(here).to.deep.equal([...news, 'last']);
    });

    it('brings a message to every subscriber of its topic and to no other', async () => {
      const [first, second, else1] = [listen(other, 'news'), listen(other, 'news'), listen(other, 'New')];
      await bus.publish('news', 'x');
      await settled();
      expect([first, second, else1]).to.deep.equal([['x'], ['x'], []]);
    });

    it('brings nothing that was published before the subscription, and nothing after its end', async () => {
      await bus.publish('news', 'early');
      await settled(); // it has arrived everywhere
      const heard: string[] = [];
      const end = other.subscribe('news', (message) => heard.push(message));
      await bus.publish('news', 'x');
      await arrived(heard, 1);
      end();
      await bus.publish('news', 'late');
      await settled();
      expect(heard).to.deep.equal(['x']);
    });

    it('goes on when a subscriber throws', async () => {
      for (const from of [bus, other]) {
        from.subscribe('news', () => {
          throw new Error('broken');
        });
      }
      const [here, there] = [listen(bus, 'news'), listen(other, 'news')];
      await bus.publish('news', 'x');
      await bus.publish('news', 'y');
      await settled();
      expect([here, there]).to.deep.equal([
        ['x', 'y'],
        ['x', 'y'],
      ]);
    });

    it('lets a subscriber end its own subscription or add one while it receives', async () => {
      const heard: string[] = [];
      const end = bus.subscribe('news', (message) => {
        heard.push(message);
        end();
        bus.subscribe('news', (later) => heard.push(`again ${later}`));
      });
      await bus.publish('news', 'x');
      await bus.publish('news', 'y');
      expect(heard).to.deep.equal(['x', 'again y']);
    });

    it('brings the news of another process', async () => {
      const heard = listen(bus, 'news');
      await inProcesses(place, [{ do: 'publish', topic: 'news', messages: news }]);
      await arrived(heard, news.length);
      expect(heard).to.deep.equal(news);
    });

    it('is silent once closed', async () => {
      const heard = listen(other, 'news');
      await other.close();
      await bus.publish('news', 'x');
      await new Promise((done) => setTimeout(done, 150));
      expect(heard).to.deep.equal([]);
      expect(await other.publish('news', 'y').catch(() => 'rejected')).to.equal('rejected');
    });
  });
}
