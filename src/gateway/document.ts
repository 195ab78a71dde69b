// Document: what the gateway serves beside its API, such as a page or the description of the API.

/** A file as it leaves. */
export interface Document {
  /** Its media type, with charset. */
  readonly type: string;
  readonly body: Uint8Array<ArrayBuffer>;
  /** Headers of its own: name, value, name, value, … */
  readonly headers: readonly string[];
}
