/** Not drawn yet. */
export function Palette() {
  return <div class="palette" />;
}
