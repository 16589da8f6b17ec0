import { useState } from "preact/hooks";
import { useAction } from "../../action.js";
import { askPublic } from "../../api.js";
import { may } from "../../me.js";
import { Button } from "../../ui/button.js";
import { Form } from "../../ui/form.js";
import { Notice } from "../../ui/notice.js";
import { RenderFields } from "./render-fields.js";
import { bodyOf, dataFault, firstOrder, type Format } from "./render-order.js";
import { type Exported, RenderResult } from "./render-result.js";
import type { Template } from "./template.js";

interface RenderPanelProps {
  template: Template;
  /** A snapshot to be tried; null: the template as it is now. */
  version: number | null;
  onLive: () => void;
}

/** Makes a document of the template, with its sample or with data that is typed here. */
export function RenderPanel(props: RenderPanelProps) {
  if (may("editor")) return <RenderForm {...props} />;
  return (
    <Notice title="You can look at this template">
      <p>
        Making documents takes the role editor. Ask an owner of your
        organization.
      </p>
    </Notice>
  );
}

interface Made {
  result: Exported;
  format: Format;
}

function RenderForm({ template, version, onLive }: RenderPanelProps) {
  const [order, setOrder] = useState(() => firstOrder(template));
  const [made, setMade] = useState<Made | null>(null);
  const { isBusy, fault, run } = useAction(async () => {
    if (dataFault(order) !== null) return;
    setMade(null);
    const body = bodyOf(template, order, version);
    const result = await askPublic<Exported>("export", "POST", body);
    setMade({ result, format: order.format });
  });
  return (
    <Form class="card padded stack" onSend={run}>
      {version !== null && (
        <Notice title={`This tries version ${version}`}>
          <Button onPress={onLive}>Try the template as it is now</Button>
        </Notice>
      )}
      <RenderFields
        template={template}
        order={order}
        onChange={(patch) => setOrder({ ...order, ...patch })}
      />
      <Button kind="primary" type="submit" isBusy={isBusy}>
        {isBusy ? "Making the document" : "Make the document"}
      </Button>
      <div aria-live="polite">
        {made && <RenderResult {...made} name={template.name} />}
        {fault && (
          <Notice tone="bad" title="The document was not made">
            <p>{fault}</p>
          </Notice>
        )}
      </div>
    </Form>
  );
}
