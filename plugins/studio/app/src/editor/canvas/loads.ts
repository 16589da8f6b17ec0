/** Whether CSS would load something: the checker refuses it in styles, but a draft may have it. */
export function loads(css: string): boolean {
  return /url\(|image-set\(|src\(/i.test(css);
}
