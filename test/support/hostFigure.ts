import Mocha from 'mocha';

/** Prints what a suite inside the extension host has measured for a promise, where its console would bury it. */
export function hostFigure(promise: string, words: string): void {
  Mocha.reporters.Base.consoleLog(`figure ${promise}: ${words}`);
}
