/** No connection came about, so nothing of a request has left: `cause` says why. */
export class ConnectingFailed extends Error {
  constructor(cause: Error) {
    super(cause.message, { cause });
    this.name = 'ConnectingFailed';
  }
}
