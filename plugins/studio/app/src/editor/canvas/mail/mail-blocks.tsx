import type {
  Component,
  ComponentOf,
} from "../../../../../../../core/plugin-api/definition.js";
import { listKey } from "../../model/tree.js";
import { useCanvas } from "../canvas-state.js";
import { plainText } from "../component-name.js";
import { cssUrl } from "../css-url.js";
import { useDraw } from "../draw-context.js";
import { ListView } from "../list-view.js";
import { declaredBy, type Declarations, marksOf, shownStyle } from "../look.js";
import { usePictureAddress } from "../picture.js";
import type { Place } from "../place.js";
import { printed } from "../printed.js";
import { insetsOf, sharesOf } from "./insets.js";
import { isBlock, MailBody } from "./mail-body.js";

interface BlockProps<T> {
  component: T;
  place: Place;
}

/** What a block of an email has on its element. */
export function useBlock(
  component: Component,
  place: Place,
  base: Declarations,
) {
  const canvas = useCanvas();
  const declared = declaredBy(component, canvas);
  const style = shownStyle({ ...base, ...declared }, component, canvas);
  return { declared, look: { ...marksOf(component, place, canvas), style } };
}

/** A row of columns across the email. */
export function MailSection({
  component,
  place,
}: BlockProps<ComponentOf<"section"> | ComponentOf<"columns">>) {
  const Draw = useDraw();
  const { editor } = useCanvas();
  const { id = "", type, components } = component;
  const background = type === "section" ? component.background : undefined;
  const { declared, look } = useBlock(
    component,
    place,
    background === undefined ? {} : { "background-color": background },
  );
  const { defaults } = editor.design;
  const insets = insetsOf(component, declared, defaults);
  const { width = defaults.email.width } = editor.definition.peek().email ?? {};
  const shares = sharesOf(components, width);
  return (
    <div {...look} class="mail-section" data-list={listKey(id, "components")}>
      {components.length === 0 && (
        <div class="empty-list">Empty: add a column</div>
      )}
      {components.map((column, index) => (
        <Draw
          key={column.id}
          component={column}
          place={{
            around: "columns",
            mail: "row",
            inset: insets[index] ?? "0",
            share: shares[index] ?? 100,
          }}
        />
      ))}
    </div>
  );
}

/** A frame around sections, or a section of its own. */
export function MailContainer({
  component,
  place,
}: BlockProps<ComponentOf<"container">>) {
  const { id = "", components } = component;
  const { sectionPadding } = useCanvas().editor.design.defaults.email;
  const holdsBlocks = components.some(isBlock);
  const { look } = useBlock(
    component,
    place,
    holdsBlocks ? {} : { padding: sectionPadding },
  );
  return (
    <div {...look} data-list={listKey(id, "components")}>
      {holdsBlocks ? (
        <MailBody components={components} place={place} />
      ) : (
        <ListView components={components} place={inMailColumn} />
      )}
    </div>
  );
}

/** Of content in a row of one column. */
const inMailColumn: Place = { around: "block", mail: "column" };

export function MailHero({
  component,
  place,
}: BlockProps<ComponentOf<"hero">>) {
  const { id = "", background, components } = component;
  const { editor } = useCanvas();
  const address = usePictureAddress(
    printed(background, id, editor.facts.value) ?? "",
  );
  const { heroPadding, heroShare, ...usual } = editor.design.defaults.email;
  const { width = usual.width } = editor.definition.peek().email ?? {};
  const { look } = useBlock(component, place, {
    padding: heroPadding,
    "min-height": `${Math.round(width * heroShare)}px`,
    ...(address !== null && { "background-image": cssUrl(address) }),
  });
  return (
    <div
      {...look}
      class={address === null ? "mail-hero without-picture" : "mail-hero"}
      data-list={listKey(id, "components")}
    >
      <ListView components={components} place={inMailColumn} />
    </div>
  );
}

/** Stands in the inbox, not in the email: here as a line, so that it can be found. */
export function MailPreheader({
  component,
  place,
}: BlockProps<ComponentOf<"preheader">>) {
  const look = marksOf(component, place, useCanvas());
  return (
    <div {...look} class="mail-preheader">
      In the inbox: {plainText(component.text) || "nothing yet"}
    </div>
  );
}
