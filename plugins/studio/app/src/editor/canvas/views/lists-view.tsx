import { listKey } from "../../model/tree.js";
import { ListView } from "../list-view.js";
import { useLook } from "../look.js";
import { innerPlace, type Place } from "../place.js";
import { TextContent } from "../text-content.js";
import type { ViewProps } from "./view-props.js";

const inList: Place = { around: "list" };
const inMailList: Place = { around: "list", mail: "html" };

export function ListsView({ component, place }: ViewProps<"list">) {
  const look = useLook(component, place);
  const list = listKey(component.id ?? "", "components");
  const inside = place.mail ? inMailList : inList;
  const items = (
    <ListView
      components={component.components}
      place={inside}
      hint="Empty list"
    />
  );
  return component.ordered ? (
    <ol {...look} data-list={list}>
      {items}
    </ol>
  ) : (
    <ul {...look} data-list={list}>
      {items}
    </ul>
  );
}

export function ListItemView({ component, place }: ViewProps<"list-item">) {
  const look = useLook(component, place);
  const id = component.id ?? "";
  return (
    <li {...look} data-list={listKey(id, "components")}>
      <TextContent
        id={id}
        text={component.text}
        {...(!component.components?.length && { placeholder: "Point" })}
      />
      <ListView
        components={component.components}
        place={innerPlace(place)}
        hint={null}
      />
    </li>
  );
}
