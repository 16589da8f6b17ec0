import { useSignal } from "@preact/signals";
import { Button } from "../../../ui/button.js";
import { Form } from "../../../ui/form.js";
import { TemplateField } from "../template-field.js";
import type { TextSurface } from "../surface/text-surface.js";
import { linkOf, setLink } from "./mark-state.js";

/** Where what is selected leads to. */
export function LinkForm({ surface }: { surface: TextSurface }) {
  const before = linkOf(surface);
  const href = useSignal(before ?? "");
  const close = () => {
    surface.isLinking.value = false;
    surface.view.focus();
  };
  const end = (link: string | null) => {
    setLink(surface, link);
    close();
  };
  return (
    <Form class="link-form" onSend={async () => end(withScheme(href.value))}>
      <TemplateField
        label="Leads to"
        value={href.value}
        owner={surface.options.owner}
        placeholder="https://"
        hint="An address; / puts one of your fields in."
        takesFocus
        onEscape={close}
        onChange={(value) => {
          href.value = value;
        }}
      />
      <div class="link-end">
        {before !== null && (
          <Button kind="quiet" onPress={() => end(null)}>
            Remove
          </Button>
        )}
        <Button kind="primary" type="submit">
          Set link
        </Button>
      </div>
    </Form>
  );
}

/** An address as people write it, "example.com", as the web does. */
function withScheme(text: string): string {
  const address = text.trim();
  if (/^[\w-]+(?:\.[\w-]+)+(?:[/?#]|$)/.test(address))
    return `https://${address}`;
  return /^[^\s@{]+@[^\s@{]+$/.test(address) ? `mailto:${address}` : address;
}
