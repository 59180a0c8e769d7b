import tseslint from 'typescript-eslint';

/** Functions of `vscode.window` that show text: those of src/editor do it so that no text becomes a link or an icon. */
const showsText =
  /^(show(Information|Warning|Error)Message|showInputBox|showQuickPick|showOpenDialog|showSaveDialog|showWorkspaceFolderPick|create(QuickPick|InputBox|StatusBarItem|TreeView|WebviewPanel)|registerTreeDataProvider|setStatusBarMessage|withProgress|withScmProgress)$/;
/** The same for what is made of text. */
const holdsText =
  /^(MarkdownString|Hover|Diagnostic|DiagnosticRelatedInformation|CodeLens|CodeAction|InlayHint|InlayHintLabelPart|CompletionItem|DocumentLink|TestMessage)$/;
const throughTheDoor =
  'Text reaches the editor through the functions of src/editor, which let none of it become a link or a command.';
const rawText = [
  // However it is reached: called, passed on or taken apart.
  { selector: `MemberExpression[property.name=${showsText}]`, message: throughTheDoor },
  { selector: `ObjectPattern > Property[key.name=${showsText}]`, message: throughTheDoor },
  { selector: `NewExpression[callee.property.name=${holdsText}]`, message: throughTheDoor },
  { selector: `ClassDeclaration[superClass.property.name=${holdsText}]`, message: throughTheDoor },
  {
    selector: "MemberExpression[object.property.name='FileSystemError'][property.name='Unavailable']",
    message: throughTheDoor,
  },
  { selector: "AssignmentExpression[left.property.name='title'][left.object.name='panel']", message: throughTheDoor },
  {
    selector: "AssignmentExpression[left.property.name='title'][left.object.property.name='panel']",
    message: throughTheDoor,
  },
  { selector: "Literal[value='vscode.diff']", message: throughTheDoor },
];
const registersCommand = {
  selector: "CallExpression[callee.property.name='registerCommand']",
  message: 'Commands are registered in src/registry.ts only.',
};

/** Type-aware rules: no floating promises, no `any`, exhaustive switches. */
export default tseslint.config(
  { ignores: ['**/dist/**', '**/node_modules/**', '**/.vscode-test/**', '**/*.as.ts'] },
  ...tseslint.configs.recommendedTypeChecked,
  {
    languageOptions: {
      parserOptions: {
        project: ['tsconfig.json', 'src/webview/tsconfig.json'],
        tsconfigRootDir: new URL('..', import.meta.url).pathname,
      },
    },
    rules: {
      '@typescript-eslint/no-floating-promises': 'error',
      '@typescript-eslint/no-misused-promises': ['error', { checksVoidReturn: { arguments: false } }],
      '@typescript-eslint/switch-exhaustiveness-check': ['error', { considerDefaultExhaustiveForUnions: true }],
      '@typescript-eslint/no-explicit-any': 'error',
      '@typescript-eslint/consistent-type-imports': 'error',
      '@typescript-eslint/no-unused-vars': ['error', { argsIgnorePattern: '^_', varsIgnorePattern: '^_' }],
      '@typescript-eslint/restrict-template-expressions': ['error', { allowNumber: true, allowBoolean: true }],
      '@typescript-eslint/require-await': 'off',
      'no-console': 'error',
      'no-restricted-syntax': ['error', registersCommand, ...rawText],
    },
  },
  { files: ['src/registry.ts'], rules: { 'no-restricted-syntax': ['error', ...rawText] } },
  { files: ['src/editor/**', 'test/**'], rules: { 'no-restricted-syntax': ['error', registersCommand] } },
  {
    // The benches' companions are extensions of their own.
    files: ['test/bench/*/{changeWatch,barePage}/**'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['test/**', '.ci/**', 'src/server/main.ts'], rules: { 'no-console': 'off' } },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.js', '**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off', 'no-console': 'off' },
  },
);
