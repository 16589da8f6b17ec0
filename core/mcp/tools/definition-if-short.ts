/** Characters of JSON, at most some 16,000 tokens: clients cut off an answer at 25,000. */
const longDefinition = 48_000;

/** A definition as a part of an answer, unless it is very long, or as it was asked for; what is left out is told. */
export function definitionIfShort(
  definition: Record<string, unknown>,
  isAskedFor: boolean | undefined,
) {
  const characters = JSON.stringify(definition).length;
  if (isAskedFor ?? characters <= longDefinition) return { definition };
  const hint = "Call again with includeDefinition: true to get it.";
  return { definitionLeftOut: { characters, hint } };
}
