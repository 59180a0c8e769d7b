import { randomBytes } from 'node:crypto';
import type { Reply } from '../reply.ts';
import { html, type Insert, type Markup } from './markup.ts';

/** Contents of a page. */
export interface Page {
  title: string;
  content: Markup;
  /** Origins that may frame the page, as a `frame-ancestors` value. */
  frames: string;
}

/** The pages have no script, load nothing and link nowhere, so that the session token in their address cannot leak. */
const style = html`
  :root { color-scheme: light dark; --line: color-mix(in srgb, currentColor 22%, transparent); --soft: color-mix(in
  srgb, currentColor 65%, transparent); } * { box-sizing: border-box; } body { background: Canvas; color: CanvasText;
  font: 15px/1.5 system-ui, sans-serif; margin: 0 auto; max-width: 72rem; padding: 1.5rem; } h1 { font-size: 1.5rem;
  margin: 0 0 1rem; } h2 { font-size: 1.15rem; margin: 1.75rem 0 .5rem; } h3 { font-size: 1rem; margin: 1rem 0 .25rem; }
  p { margin: .35rem 0; } .soft { color: var(--soft); } ul { list-style: none; margin: 0; padding-left: 1.1rem;
  border-left: 1px solid var(--line); } ul.top { border: 0; padding: 0; } li { padding: .12rem 0; overflow-wrap:
  anywhere; } .folder { font-weight: 600; } code { font-size: .85em; color: var(--soft); } .scroll { overflow-x: auto;
  border: 1px solid var(--line); border-radius: 6px; } table { border-collapse: collapse; min-width: 100%;
  font-variant-numeric: tabular-nums; } th, td { border-bottom: 1px solid var(--line); padding: .3rem .7rem; text-align:
  left; vertical-align: top; white-space: nowrap; } tr:last-child td { border-bottom: 0; } th { font-weight: 600; }
  .number { text-align: right; } figure { margin: .5rem 0; } figure svg { max-width: 100%; height: auto; } svg text {
  fill: currentColor; font-size: 13px; } .slice { stroke: Canvas; stroke-width: 2; } .kpi { font-size: 2.2rem;
  font-weight: 600; } summary { cursor: pointer; }
`;

/** Builds the reply for a page, with a policy that blocks scripts, other resources, forms and referrers. */
export function pageReply({ title, content, frames }: Page, status = 200): Reply {
  const nonce = randomBytes(18).toString('base64');
  const document = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="referrer" content="no-referrer" />
        <title>${title}</title>
        <style nonce="${nonce}">
          ${style}
        </style>
      </head>
      <body>
        <main>
          <h1>${title}</h1>
          ${content}
        </main>
      </body>
    </html>`;
  const policy = `default-src 'none'; style-src 'nonce-${nonce}'; base-uri 'none'; form-action 'none'; frame-ancestors ${frames}`;
  return {
    status,
    contentType: 'text/html; charset=utf-8',
    body: document.toString(),
    headers: {
      'Content-Security-Policy': policy,
      'Referrer-Policy': 'no-referrer',
      'Cross-Origin-Opener-Policy': 'same-origin',
    },
  };
}

/** A message shown instead of the requested content. */
export function sentence(text: Insert): Markup {
  return html`<p>${text}</p>`;
}
