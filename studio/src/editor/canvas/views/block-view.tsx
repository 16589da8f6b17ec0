import "../../blocks/blocks.css";
import { useMemo } from "preact/hooks";
import type {
  Component,
  ComponentOf,
} from "../../../../../core/plugin-api/definition.js";
import { t } from "../../../messages/index.js";
import { findBlock } from "../../model/blocks.js";
import { mapChildren } from "../../model/tree.js";
import { useSampleScope } from "../../scope/sample-scope.js";
import { CanvasProvider, useCanvas } from "../canvas-state.js";
import { ComponentList, FullWidthCell } from "./component-list.js";
import { getBaseProps, getCopyProps, type Place } from "./element-props.js";

interface BlockViewProps {
  component: ComponentOf<"partial">;
  place: Place;
  /** Draws the components of the block; by default as a list of components. */
  draw?: (components: readonly Component[]) => preact.ComponentChildren;
}

/** A reusable block in a frame, with its content as it prints. Its components cannot be selected or edited here. */
export function BlockView({ component, place, draw }: BlockViewProps) {
  const canvas = useCanvas();
  const { name, id = "" } = component;
  const block = findBlock(canvas.editor, name);
  const { isCopy } = useSampleScope();
  const elementProps = isCopy
    ? getCopyProps(component, canvas)
    : getBaseProps(component, place, canvas);
  const inside = useMemo(() => canvas.insideBlock(), [canvas]);
  // The service evaluates them with these ids.
  const components = useMemo(
    () => (block?.components ?? []).map((child) => prefixIds(child, id)),
    [block, id],
  );
  if (!block)
    return (
      <FullWidthCell place={place}>
        <div {...elementProps} class="block-missing">
          {canvas.editor.blocks.value === null
            ? name
            : t("blocks.blockMissing", { name })}
        </div>
      </FullWidthCell>
    );
  return (
    <div
      {...elementProps}
      aria-label={block.title}
      class={`block-frame in-${place.around}`}
      data-block={block.title}
    >
      <CanvasProvider value={inside}>
        {draw ? (
          draw(components)
        ) : (
          <ComponentList
            components={components}
            place={place}
            hint={t("blocks.blockEmpty")}
          />
        )}
      </CanvasProvider>
    </div>
  );
}

function prefixIds(component: Component, owner: string): Component {
  const { id } = component;
  return {
    ...mapChildren(component, (child) => prefixIds(child, owner)),
    ...(id !== undefined && { id: `${owner}/${id}` }),
  };
}
