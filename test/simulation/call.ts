/** A call of a process to its servers, with all that may befall it; `write` tells whether a full disk refuses it. */
export type Call = <Answer>(write: boolean, operation: () => Promise<Answer>) => Promise<Answer>
