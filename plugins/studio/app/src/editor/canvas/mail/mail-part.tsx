import type { FunctionComponent } from "preact";
import type { Component } from "../../../../../../../core/plugin-api/definition.js";
import { FragmentNote } from "../fragment-note.js";
import { listKey } from "../../model/tree.js";
import { marksOf } from "../look.js";
import { useCanvas } from "../canvas-state.js";
import type { Place } from "../place.js";
import {
  MailContainer,
  MailHero,
  MailPreheader,
  MailSection,
} from "./mail-blocks.js";
import { MailBody } from "./mail-body.js";
import { MailColumn } from "./mail-column.js";
import { MailRow } from "./mail-row.js";

interface MailPartProps {
  component: Component;
  place: Place;
}

/** Whether the email's own views draw what stands there: in the body, or in a column of it. */
export function isMailPart({ mail }: Place): boolean {
  return mail === "body" || mail === "row" || mail === "column";
}

/** A part of an email as its sections, columns and rows have it. */
export const MailPart: FunctionComponent<MailPartProps> = ({
  component,
  place,
}) => {
  switch (component.type) {
    case "fragment":
      return <MailFragment component={component} place={place} />;
    case "section":
    case "columns":
      return place.mail === "body" ? (
        <MailSection component={component} place={place} />
      ) : (
        <MailRow component={component} place={place} />
      );
    case "hero":
      return <MailHero component={component} place={place} />;
    case "container":
      return place.mail === "body" ? (
        <MailContainer component={component} place={place} />
      ) : (
        <MailRow component={component} place={place} />
      );
    case "column":
      return <MailColumn component={component} place={place} />;
    case "preheader":
      return <MailPreheader component={component} place={place} />;
    default:
      return <MailRow component={component} place={place} />;
  }
};

/** Its children stand where it stands. */
function MailFragment({
  component,
  place,
}: {
  component: Extract<Component, { type: "fragment" }>;
  place: Place;
}) {
  const look = marksOf(component, place, useCanvas());
  return (
    <div
      {...look}
      class="fragment"
      data-list={listKey(component.id ?? "", "components")}
    >
      <FragmentNote look={look} place={place} />
      <MailBody components={component.components} place={place} />
    </div>
  );
}
