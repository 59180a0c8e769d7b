import { kindOf } from '../formulas/expressionKinds.ts';
import { type FunctionName, functionRow, type ValueKind } from './functions.ts';
import type { CastType, Expression } from './tree.ts';

/** Whole numbers that an argument is limited to. */
interface Range {
  least: number;
  most: number;
}

/** More characters than a text of a formula has; within the whole numbers of every platform. */
const mostCharacters = 1_000_000;
const position: Range = { least: 1, most: mostCharacters };
const count: Range = { least: 0, most: mostCharacters };
const decimals: Range = { least: -15, most: 15 };

/** By position of the argument. */
const ranges: Partial<Record<FunctionName, readonly (Range | undefined)[]>> = {
  SUBSTRING: [undefined, position, count],
  LEFT: [undefined, count],
  RIGHT: [undefined, count],
  ROUND: [undefined, decimals],
};

const typeOfKind: Partial<Record<ValueKind, CastType>> = { text: 'text', number: 'number', time: 'date' };

/**
 * The arguments of a call, changed where platforms would compute different results from them, or refuse them: positions and
 * counts are whole numbers within limits, joined values are texts, ß becomes SS before all letters become capitals, and NULL
 * has a type.
 */
export function portableArguments({ name, arguments: given }: Extract<Expression, { kind: 'call' }>): Expression[] {
  const { takes } = functionRow(name);
  const typed = given.map((argument, index) => withType(argument, takes[Math.min(index, takes.length - 1)] ?? 'any'));
  const [first] = typed;
  if (name === 'UPPER' && first) return [{ kind: 'call', name: 'REPLACE', arguments: [first, text('ß'), text('SS')] }];
  if (name === 'CONCAT') return typed.map(asText);
  return typed.map((argument, index) => {
    const range = ranges[name]?.[index];
    return range ? limited(argument, range) : argument;
  });
}

function withType(argument: Expression, kind: ValueKind): Expression {
  const type = typeOfKind[kind];
  return argument.kind === 'null' && type ? { kind: 'cast', operand: argument, to: type } : argument;
}

function text(value: string): Expression {
  return { kind: 'value', value: { type: 'text', text: value } };
}

function asText(value: Expression): Expression {
  return kindOf(value) === 'text' ? value : { kind: 'cast', operand: value, to: 'text' };
}

function limited(argument: Expression, { least, most }: Range): Expression {
  if (argument.kind === 'value') {
    const number = Number(argument.value.text);
    const rounded = Math.sign(number) * Math.round(Math.abs(number));
    return whole(Math.min(Math.max(rounded, least), most));
  }
  const number: Expression = { kind: 'cast', operand: argument, to: 'integer' };
  const branches = [
    { when: { kind: 'comparison', operator: '<', left: number, right: whole(least) }, then: whole(least) },
    { when: { kind: 'comparison', operator: '>', left: number, right: whole(most) }, then: whole(most) },
  ] as const;
  return { kind: 'case', branches, otherwise: number };
}

function whole(number: number): Expression {
  return { kind: 'value', value: { type: 'number', text: String(number === 0 ? 0 : number) } };
}
