import { expect, it } from 'vitest';
import { attempt, CommandError, describeFailure } from '../../../src/editor/commandError.ts';

it('names the whole action and the reason of a failure, whichever of its parts failed', async () => {
  const why = new Error('the host name is unknown');
  const failed = attempt('Could not create a new object on Far', () =>
    attempt('Could not reach Far', () => Promise.reject(why)),
  );
  const error = await failed.catch((reason: unknown) => reason);
  expect(error).toBeInstanceOf(CommandError);
  expect(describeFailure(error)).toBe('Could not create a new object on Far: the host name is unknown');
});
