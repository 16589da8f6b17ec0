import type { Component } from "../../../../../../core/plugin-api/definition.js";
import { Icon } from "../../ui/icon.js";
import { type ListKey, listKey } from "../model/tree.js";
import { AcrossPlace } from "./across-place.js";
import { useCanvas } from "./canvas-state.js";
import { ListView } from "./list-view.js";
import type { Place } from "./place.js";

interface AlternativesProps {
  component: Component;
  place: Place;
}

/** What is shown in a component's stead, below it, when somebody opens it. */
export function Alternatives({ component, place }: AlternativesProps) {
  const { id = "", condition, collection } = component;
  return (
    <>
      {condition?.else && (
        <Alternative
          list={listKey(id, "else")}
          components={condition.else}
          words="Otherwise"
          place={place}
        />
      )}
      {collection?.empty && (
        <Alternative
          list={listKey(id, "empty")}
          components={collection.empty}
          words="When there are none"
          place={place}
        />
      )}
    </>
  );
}

interface AlternativeProps {
  list: ListKey;
  components: readonly Component[];
  words: string;
  place: Place;
}

function Alternative({ list, components, words, place }: AlternativeProps) {
  const canvas = useCanvas();
  const isOpen = canvas.opened.value.has(list);
  const count =
    components.length === 1 ? "1 part" : `${components.length} parts`;
  const bar = (
    <button
      type="button"
      class="stand-in-bar"
      aria-expanded={isOpen}
      onClick={() => canvas.toggle(list)}
    >
      <Icon name={isOpen ? "down" : "next"} size={12} />
      {words}
      <span class="muted">{count}</span>
    </button>
  );
  return (
    <div class={`stand-in in-${place.around}`} data-list={list}>
      <AcrossPlace place={place}>{bar}</AcrossPlace>
      {isOpen && <ListView components={components} place={place} />}
    </div>
  );
}
