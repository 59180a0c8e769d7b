import * as vscode from 'vscode';
import { createInputBox, createQuickPick } from '../quickInput.ts';

/** The user went one step back. */
export const back = Symbol('back');
/** What a step gave: its value, a step back, or undefined when the user gave up. */
export type StepAnswer<T> = T | typeof back | undefined;

/** One step that asks for text. */
export interface TextQuestion {
  title: string;
  /** Number of this step and of all steps, where it is part of a sequence. */
  step?: readonly [step: number, total: number];
  value?: string;
  placeholder?: string;
  prompt?: string;
  isPassword?: boolean;
  /** Advice about what is typed so far, which does not keep it from being accepted. */
  advise?(value: string): string | undefined;
  /** Checks what was entered, at the server if need be; gives the message to show if it will not do. */
  accept(value: string, signal: AbortSignal): Promise<string | undefined>;
}

/** Asks for text; the box stays open, with the reason, until the text is accepted or the user leaves. */
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
    box.onDidChangeValue((value) => (box.validationMessage = advice(question, value)));
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

/** Asks for one of a few choices; `placeholder` says for what, where the title does not. */
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
 * Walks through steps: each says whether to go on, one back, or to give up.
 * @returns false when the user gave up.
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
