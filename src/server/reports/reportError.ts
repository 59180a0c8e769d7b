/** A report definition that cannot be run as it stands; the message names the part, for the report's author to read. */
export class ReportError extends Error {
  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'ReportError';
  }
}
