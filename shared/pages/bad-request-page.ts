import { html, type Html } from './html.ts';

/** The whole body of the acceptor's 400: no style sheet, follows the system's dark mode. */
// prettier-ignore
export const badRequestPage = (requestId: string): Html => html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>Bad Request</title>
</head>
<body>
<h1>Bad Request</h1>
<p>The request was not stored. Send <code>Accept: application/problem+json</code> to get the reasons.</p>
<hr>
<p><small>Request ${requestId}</small></p>
</body>
</html>
`;
