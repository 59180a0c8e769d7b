/*
 * Lint rules of this project: text reaches the editor through the functions of src/editor, which let none of it become a
 * link, an icon or a command, and src/registry.ts alone registers commands.
 */

const throughEditor =
  'Text reaches the editor through the functions of src/editor, which let none of it become a link or a command.';

/** Functions of `vscode.window` that show text. */
const showsText =
  /^(show(Information|Warning|Error)Message|showInputBox|showQuickPick|showOpenDialog|showSaveDialog|showWorkspaceFolderPick|create(QuickPick|InputBox|StatusBarItem|TreeView|WebviewPanel)|registerTreeDataProvider|setStatusBarMessage|withProgress|withScmProgress)$/;
/** Classes of `vscode` that are made of text. */
const holdsText =
  /^(MarkdownString|Hover|Diagnostic|DiagnosticRelatedInformation|CodeLens|CodeAction|InlayHint|InlayHintLabelPart|CompletionItem|DocumentLink|TestMessage)$/;

/** A rule that reports every node that matches one of these selectors. */
const forbidding = (message, selectors) => ({
  create: (context) =>
    Object.fromEntries(selectors.map((selector) => [selector, (node) => context.report({ node, message })])),
});

export default {
  meta: { name: 'editor' },
  rules: {
    'text-through-editor': forbidding(throughEditor, [
      // However it is reached: called, passed on or taken apart.
      `MemberExpression[property.name=${showsText}]`,
      `ObjectPattern > Property[key.name=${showsText}]`,
      `NewExpression[callee.property.name=${holdsText}]`,
      `ClassDeclaration[superClass.property.name=${holdsText}]`,
      "MemberExpression[object.property.name='FileSystemError'][property.name='Unavailable']",
      "AssignmentExpression[left.property.name='title'][left.object.name='panel']",
      "AssignmentExpression[left.property.name='title'][left.object.property.name='panel']",
      "Literal[value='vscode.diff']",
    ]),
    'commands-in-registry': forbidding('Commands are registered in src/registry.ts only.', [
      "CallExpression[callee.property.name='registerCommand']",
    ]),
  },
};
