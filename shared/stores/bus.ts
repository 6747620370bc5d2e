/** News between the processes of one installation, its own subscribers included. At most once, within one second; not stored. */
export interface Bus {
  publish(topic: string, message: string): Promise<void>;
  /**
   * From now on, and no news is lost meanwhile; what was published a moment before may come, too. A subscriber that throws is
   * logged and does not stop the others. The answer ends the subscription.
   */
  subscribe(topic: string, receive: (message: string) => void): () => void;
  /**
   * Called when news may have got lost, at least every half second while that lasts: whatever is believed only because no news
   * came must be forgotten. Called after half a second without a sign that news would arrive. The answer ends it.
   */
  onGap(receive: () => void): () => void;
  close(): Promise<void>;
}
