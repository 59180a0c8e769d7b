import tseslint from 'typescript-eslint';

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
      'no-restricted-syntax': [
        'error',
        {
          selector: "CallExpression[callee.property.name='registerCommand']",
          message: 'Commands are registered in src/commands/registry.ts only.',
        },
      ],
    },
  },
  {
    // The benches' companions are extensions of their own.
    files: ['src/commands/registry.ts', 'test/bench/*/{changeWatch,barePage}/**'],
    rules: { 'no-restricted-syntax': 'off' },
  },
  { files: ['test/**', '.ci/**', 'src/server/main.ts'], rules: { 'no-console': 'off' } },
  { files: ['**/*.js', '**/*.mjs', '**/*.cjs'], ...tseslint.configs.disableTypeChecked },
  {
    files: ['**/*.js', '**/*.cjs'],
    rules: { '@typescript-eslint/no-require-imports': 'off', 'no-console': 'off' },
  },
);
