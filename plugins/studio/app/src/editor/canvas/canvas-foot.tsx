import { Choices } from "../../ui/choices.js";
import { Icon } from "../../ui/icon.js";
import { Breadcrumb } from "./breadcrumb.js";
import { useCanvas } from "./canvas-state.js";

const pages = [
  ["first", "First page"],
  ["others", "Others"],
] as const;
const variables = [
  ["fields", "Fields"],
  ["values", "Values"],
] as const;
const widths = [
  ["wide", "Computer"],
  ["phone", "Phone"],
] as const;

/** Below the page: where the selection stands, and how the page is looked at. */
export function CanvasFoot() {
  const canvas = useCanvas();
  return (
    <div class="canvas-foot">
      <Breadcrumb />
      {canvas.editor.templateType === "email" ? (
        <Choices
          legend="Width of the email"
          options={widths}
          value={canvas.isPhone.value ? "phone" : "wide"}
          onChoose={(one) => {
            canvas.isPhone.value = one === "phone";
          }}
        />
      ) : (
        <PageChoice />
      )}
      <ValueChoice />
      <ZoomButtons />
    </div>
  );
}

/** Whether variables are shown by their names, or as the sample fills them. */
function ValueChoice() {
  const { editor } = useCanvas();
  return (
    <Choices
      legend="Show your fields as"
      options={variables}
      value={editor.showsValues.value ? "values" : "fields"}
      onChoose={(one) => {
        editor.showsValues.value = one === "values";
      }}
    />
  );
}

/** Which page's headers and footers are shown, where they differ. */
function PageChoice() {
  const canvas = useCanvas();
  const { page = {} } = canvas.editor.definition.value;
  if (page.firstHeader === undefined && page.firstFooter === undefined)
    return null;
  return (
    <Choices
      legend="Header and footer of"
      options={pages}
      value={canvas.page.value}
      onChoose={(one) => {
        canvas.page.value = one;
      }}
    />
  );
}

function ZoomButtons() {
  const { zoom } = useCanvas();
  const percent = `${Math.round(zoom.scale.value * 100)} %`;
  return (
    <div class="zoom" role="group" aria-label="Zoom">
      <button type="button" aria-label="Smaller" onClick={() => zoom.step(-1)}>
        <Icon name="minus" size={16} />
      </button>
      <button
        type="button"
        class="zoom-now"
        title="Fit to the width"
        aria-label={`${percent}: fit to the width`}
        aria-pressed={zoom.choice.value === "fit"}
        onClick={() => zoom.toggleFit()}
      >
        {percent}
      </button>
      <button type="button" aria-label="Larger" onClick={() => zoom.step(1)}>
        <Icon name="plus" size={16} />
      </button>
    </div>
  );
}
