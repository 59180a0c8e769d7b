/** A report definition that cannot be run; the message names the invalid part for the report's author. */
export class ReportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReportError';
  }
}
