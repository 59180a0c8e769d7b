import { isClientError } from '../../client/clientError.ts';
import { askText, walkSteps } from './inputSteps.ts';

/** What is asked for a secret that is typed twice, in words. */
export interface NewSecretQuestion {
  title: string;
  first: { placeholder: string; prompt?: string; whenEmpty: string };
  again: { placeholder: string; prompt?: string; whenDifferent: string };
  /** Gives it to the server, while the box is open: what the server objects to is shown there. */
  send: (secret: string) => Promise<void>;
}

/**
 * Asks for a new password or the like in two password boxes.
 * @returns whether it was sent; false when the user gave up.
 */
export async function askNewSecret({ title, first, again, send }: NewSecretQuestion): Promise<boolean> {
  let secret = '';
  const askFirst = async () => {
    const answer = await askText({
      title,
      step: [1, 2],
      isPassword: true,
      placeholder: first.placeholder,
      ...(first.prompt !== undefined && { prompt: first.prompt }),
      accept: async (value) => (value === '' ? first.whenEmpty : undefined),
    });
    if (typeof answer !== 'string') return answer;
    secret = answer;
    return true;
  };
  const askAgain = async () => {
    const answer = await askText({
      title,
      step: [2, 2],
      isPassword: true,
      placeholder: again.placeholder,
      ...(again.prompt !== undefined && { prompt: again.prompt }),
      accept: async (value) => {
        if (value !== secret) return again.whenDifferent;
        try {
          await send(secret);
          return undefined;
        } catch (error) {
          if (isClientError(error)) return `${error.message} ${error.remedy}`.trim();
          throw error;
        }
      },
    });
    return typeof answer === 'string' ? true : answer;
  };
  return walkSteps([askFirst, askAgain]);
}
