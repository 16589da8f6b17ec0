/** Not drawn yet. */
export function Outline() {
  return <div class="outline" />;
}
