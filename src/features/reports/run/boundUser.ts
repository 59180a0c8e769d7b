/** A run that is bound to one user would go on as another one. */
export class OtherUserError extends Error {
  readonly bound: string;
  readonly user: string;

  constructor(bound: string, user: string) {
    super(`The run is bound to ${bound}, not to ${user}.`);
    this.bound = bound;
    this.user = user;
  }
}

/** The user whom a panel's runs are bound to: somebody else sees other rows, and must have wanted to. */
export class BoundUser {
  #name: string | undefined;

  /** @param name of the user; undefined binds to whoever runs first. */
  constructor(name?: string) {
    this.#name = name;
  }

  get name(): string | undefined {
    return this.#name;
  }

  /** Binds to another user, or to whoever runs next. */
  bind(name: string | undefined): void {
    this.#name = name;
  }

  /**
   * Notes who is signed in. Binds to that user from then on, so that it is asked once.
   * @throws {OtherUserError} where that is somebody else.
   */
  meet(user: string): void {
    const bound = this.#name;
    if (user === '') return;
    this.#name = user;
    if (bound === undefined || bound === '' || bound.toLowerCase() === user.toLowerCase()) return;
    throw new OtherUserError(bound, user);
  }
}
