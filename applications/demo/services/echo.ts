import { Service, type Routes, type ServiceRequest } from 'portico';

/** Says who was recognised; the service behind echo, simple, echo-token and echo-oauth, which differ in their mode. */
export default class Echo extends Service {
  override routes(routes: Routes) {
    routes.add('GET', '/', echo);
    routes.add('POST', '/', echo);
  }
}

const echo = ({ method, user, query, body }: ServiceRequest) => ({
  message: user ? `You are ${user.id}` : 'Hello',
  user: user?.id ?? null,
  method,
  query,
  body: body ?? null,
});
