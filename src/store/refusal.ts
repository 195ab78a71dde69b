// Refusal: what cannot be done as things stand, in one sentence with the command that mends it.

/** An error for a person: its message is all they need, so nobody prints its stack. */
export class Refusal extends Error {
  override readonly name = 'Refusal';
}
