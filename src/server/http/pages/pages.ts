import { randomBytes } from 'node:crypto';
import type { AllowedOrigin } from '../originGuard.ts';
import type { Dispatch } from '../dispatcher.ts';
import type { Reply } from '../reply.ts';
import type { RunningCall } from '../runningCall.ts';
import { builderContent } from './builderContent.ts';
import { dashboardContent } from './dashboardContent.ts';
import { dashboardsContent, libraryContent } from './libraryContent.ts';
import type { Markup } from './markup.ts';
import { NoSession, PageCalls } from './pageCalls.ts';
import { pageReply, sentence } from './pageReply.ts';

/** What browser pages are made with. */
export interface PageParts {
  dispatch: Dispatch;
  /** Who may put the embed page into a frame. */
  allowedOrigin: AllowedOrigin;
  log: (message: string) => void;
}

/** Answers a browser page, or undefined where there is none of that name. API description, Browser entry pages. */
export type Pages = (name: string, query: URLSearchParams, call: RunningCall) => Promise<Reply | undefined>;

const views: Readonly<Record<string, { title: string; content: (calls: PageCalls) => Promise<Markup> }>> = {
  '': { title: 'Dashboards', content: dashboardsContent },
  '1': { title: 'Library', content: libraryContent },
  '2': { title: 'Builder', content: builderContent },
};

/** Makes the pages that a session token in their address opens: the interface read-only, and one dashboard for a frame. */
export function createPages({ dispatch, allowedOrigin, log }: PageParts): Pages {
  const frames = { any: '*', none: "'self'", one: allowedOrigin.kind === 'one' ? allowedOrigin.origin : '' };
  const embedFrames = frames[allowedOrigin.kind];
  return async (name, query, call) => {
    const isEmbed = name === 'embed.html';
    if (!isEmbed && name !== 'sso.html') return undefined;
    const frame = isEmbed ? embedFrames : "'none'";
    const tell = (title: string, text: string, status: number) =>
      pageReply({ title, content: sentence(text), frames: frame }, status);
    const calls = new PageCalls(dispatch, call, query.get('s') ?? '');
    try {
      await calls.requireSession();
      if (!isEmbed) {
        const view = views[query.get('h') ?? ''] ?? views[''];
        return view && pageReply({ title: view.title, content: await view.content(calls), frames: frame });
      }
      const isDashboard = query.get('t') === 'd';
      const found = isDashboard ? await dashboardContent(calls, query.get('i') ?? '') : undefined;
      if (found) return pageReply({ ...found, frames: frame });
      return tell('Nothing to show', 'There is no such dashboard, or you may not see it.', 404);
    } catch (error) {
      if (error instanceof NoSession) {
        return tell('Signed out', 'This session has ended or is unknown. Sign in again and open the page anew.', 401);
      }
      // Its words may hold data or the token: they are the log's business, under a reference.
      const reference = randomBytes(4).toString('hex');
      log(`The page ${name} failed (${reference}): ${error instanceof Error ? error.stack : String(error)}`);
      return tell('Error', `The page could not be made; the server's log says more under ${reference}.`, 500);
    }
  };
}
