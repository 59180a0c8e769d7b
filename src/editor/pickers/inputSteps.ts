import * as vscode from 'vscode';
import { createInputBox, createQuickPick } from '../quickInput.ts';

/** The user went back one step. */
export const back = Symbol('back');
/** Result of a step: its value, `back`, or undefined if cancelled. */
export type StepAnswer<T> = T | typeof back | undefined;

/** A step that asks for text. */
export interface TextQuestion {
  title: string;
  /** Number of this step and of all steps, if it is part of a sequence. */
  step?: readonly [step: number, total: number];
  value?: string;
  placeholder?: string;
  prompt?: string;
  isPassword?: boolean;
  /** Called while the user types. */
  typing?(): void;
  /** Non-blocking advice about the current value. */
  advise?(value: string): string | undefined;
  /** Validates the entered value, if necessary on the server; returns the error message for an invalid one. */
  accept(value: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Asks for text; the box stays open and shows the validation error until the text is valid or the user cancels. */
export function askText(question: TextQuestion): Promise<StepAnswer<string>> {
  const box = createInputBox();
  box.title = question.title;
  if (question.step) [box.step, box.totalSteps] = question.step;
  box.value = question.value ?? '';
  box.placeholder = question.placeholder;
  box.prompt = question.prompt;
  box.password = question.isPassword ?? false;
  box.ignoreFocusOut = true;
  if ((question.step?.[0] ?? 1) > 1) box.buttons = [vscode.QuickInputButtons.Back];
  const leaving = new AbortController();
  return new Promise<StepAnswer<string>>((resolve, reject) => {
    box.onDidChangeValue((value) => {
      box.validationMessage = advice(question, value);
      question.typing?.();
    });
    box.onDidTriggerButton(() => resolve(back));
    box.onDidHide(() => resolve(undefined));
    box.onDidAccept(() => {
      if (box.busy) return;
      check(box, question, leaving.signal).then((isAccepted) => isAccepted && resolve(box.value), reject);
    });
    box.validationMessage = advice(question, box.value);
    box.show();
  }).finally(() => {
    leaving.abort();
    box.dispose();
  });
}

/** Asks for one of a few choices; `placeholder` describes the choice if the title does not. */
export async function askChoice<T extends vscode.QuickPickItem>(
  title: string,
  step: readonly [step: number, total: number],
  choices: readonly T[],
  placeholder = '',
): Promise<StepAnswer<T>> {
  const pick = createQuickPick<T>();
  pick.title = title;
  [pick.step, pick.totalSteps] = step;
  pick.placeholder = placeholder;
  pick.items = choices;
  pick.ignoreFocusOut = true;
  if (step[0] > 1) pick.buttons = [vscode.QuickInputButtons.Back];
  return new Promise<StepAnswer<T>>((resolve) => {
    pick.onDidTriggerButton(() => resolve(back));
    pick.onDidHide(() => resolve(undefined));
    pick.onDidAccept(() => resolve(pick.selectedItems[0]));
    pick.show();
  }).finally(() => pick.dispose());
}

/**
 * Runs steps in sequence: each continues, goes back one step, or cancels.
 * @returns false if cancelled.
 */
export async function walkSteps(steps: readonly (() => Promise<StepAnswer<true>>)[]): Promise<boolean> {
  for (let index = 0; index < steps.length;) {
    const answer = await steps[index]?.();
    if (answer === undefined) return false;
    index = answer === back ? Math.max(0, index - 1) : index + 1;
  }
  return true;
}

async function check(box: vscode.InputBox, question: TextQuestion, signal: AbortSignal): Promise<boolean> {
  box.busy = true;
  box.enabled = false;
  try {
    const objection = await question.accept(box.value, signal);
    if (signal.aborted) return false;
    box.validationMessage = objection;
    return objection === undefined;
  } finally {
    box.enabled = true;
    box.busy = false;
  }
}

function advice(question: TextQuestion, value: string): vscode.InputBoxValidationMessage | undefined {
  const message = question.advise?.(value);
  return message === undefined ? undefined : { message, severity: vscode.InputBoxValidationSeverity.Warning };
}
