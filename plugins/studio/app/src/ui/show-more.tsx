import type { Paged } from "../paged.js";
import { Button } from "./button.js";

/** Below a list that has more than is shown. */
export function ShowMore({ list }: { list: Paged<unknown> }) {
  const { data, showMore } = list;
  if (!data || data.data.length >= data.total) return null;
  return (
    <div class="more">
      <Button onPress={showMore}>Show more</Button>
    </div>
  );
}
