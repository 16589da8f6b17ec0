/** Gathers what comes into arrays of `size`; the last may be shorter, none is empty. */
export async function* inChunks<T>(
  source: AsyncIterable<T>,
  size: number,
): AsyncGenerator<T[]> {
  let chunk: T[] = [];
  for await (const one of source) {
    chunk.push(one);
    if (chunk.length < size) continue;
    yield chunk;
    chunk = [];
  }
  if (chunk.length > 0) yield chunk;
}
