/** Code of the diagnostics that say why a document was not saved. */
export const saveProblemCode = 'save';
