import type { OtherObject } from '../../contract/echo.ts';
import { ClientError } from '../clientError.ts';
import { say } from '../../l10n/l10n.ts';

/** The failure of a call that was answered with another object than the one it asked for, or with none. */
export function otherObjectError(server: string, endpoint: string, { asked, answered }: OtherObject): ClientError {
  const message =
    answered === ''
      ? say(
          '{0} answered {1} for the object {2} with one that has no id: it may have been deleted.',
          server,
          endpoint,
          asked,
        )
      : say('{0} answered {1} for the object {2} with the object {3}.', server, endpoint, asked, answered);
  const remedy =
    answered === ''
      ? say('Refresh and look whether it is still there.')
      : say('Ask whoever runs the server, or the proxy before it, why it mixes up objects.');
  return new ClientError('malformed', message, { server, endpoint, remedy });
}
