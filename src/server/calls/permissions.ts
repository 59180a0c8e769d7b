import { isAdministrator } from './caller.ts';
import { noContent, type HandlerReply, type SignedInContext } from './handlers.ts';

/** Answers 204 to everybody but administrators. API description, Errors (HTTP status). */
export function adminOnly<Body>(handler: (body: Body, context: SignedInContext) => HandlerReply) {
  return (body: Body, context: SignedInContext): HandlerReply =>
    isAdministrator(context.caller) ? handler(body, context) : noContent;
}
