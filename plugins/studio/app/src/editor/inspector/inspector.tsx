/** Not drawn yet. */
export function Inspector() {
  return <div class="inspector" />;
}
