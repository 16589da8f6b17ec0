/** What an endpoint can be told of, as people call it. */
export const eventWords: readonly (readonly [type: string, words: string])[] = [
  ["document.succeeded", "A document is made"],
  ["document.failed", "A document failed"],
  ["document.expired", "A document expired before it was made"],
  ["documents.completed", "A batch is complete"],
  ["signature.completed", "All have signed"],
  ["signature.declined", "Somebody declined to sign"],
  ["signature.expired", "The time to sign is over"],
];
