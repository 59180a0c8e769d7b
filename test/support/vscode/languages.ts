import { Disposable, EventEmitter, type Range, type Uri } from './basics.ts';

export const DiagnosticSeverity = { Error: 0, Warning: 1, Information: 2, Hint: 3 };

export class Diagnostic {
  source: string | undefined;
  code: string | undefined;
  readonly range: Range;
  readonly message: string;
  readonly severity: number;
  constructor(range: Range, message: string, severity: number) {
    this.range = range;
    this.message = message;
    this.severity = severity;
  }
}

export class CodeActionKind {
  static readonly QuickFix = new CodeActionKind('quickfix');
  static readonly SourceFixAll = new CodeActionKind('source.fixAll');
  readonly value: string;
  constructor(value: string) {
    this.value = value;
  }
  append(part: string): CodeActionKind {
    return new CodeActionKind(`${this.value}.${part}`);
  }
  contains(other: CodeActionKind): boolean {
    return `${other.value}.`.startsWith(`${this.value}.`);
  }
  intersects(other: CodeActionKind): boolean {
    return this.contains(other) || other.contains(this);
  }
}

export class CodeAction {
  readonly title: string;
  readonly kind: CodeActionKind;
  constructor(title: string, kind: CodeActionKind) {
    this.title = title;
    this.kind = kind;
  }
}

export class CodeLens {
  readonly range: Range;
  readonly command: object;
  constructor(range: Range, command: object) {
    this.range = range;
    this.command = command;
  }
}

const collections = new Set<Map<string, Diagnostic[]>>();
const diagnosticsChanged = new EventEmitter<{ uris: Uri[] }>();

export const languages = {
  createDiagnosticCollection: () => {
    const marks = new Map<string, Diagnostic[]>();
    collections.add(marks);
    const changed = (uri: Uri) => diagnosticsChanged.fire({ uris: [uri] });
    return {
      get: (uri: Uri) => marks.get(uri.toString()),
      has: (uri: Uri) => marks.has(uri.toString()),
      set: (uri: Uri, list: Diagnostic[]) => {
        marks.set(uri.toString(), list);
        changed(uri);
      },
      delete: (uri: Uri) => {
        if (marks.delete(uri.toString())) changed(uri);
      },
      dispose: () => void collections.delete(marks),
    };
  },
  getDiagnostics: (uri: Uri) => [...collections].flatMap((marks) => marks.get(uri.toString()) ?? []),
  onDidChangeDiagnostics: diagnosticsChanged.event,
  registerCodeActionsProvider: () => new Disposable(() => undefined),
  registerCodeLensProvider: () => new Disposable(() => undefined),
  setTextDocumentLanguage: async <D>(document: D) => document,
};
