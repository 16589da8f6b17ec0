import type { Draft } from "immer";
import type {
  EmailSetup,
  PageSetup,
  PdfSetup,
  ProjectData,
} from "../../../../../../../core/plugin-api/definition.js";
import type { Editor } from "../../model/editor.js";
import { describeSchemaProperty } from "../../session/descriptions.js";
import { t } from "../../../messages/index.js";

interface Parts {
  page: PageSetup;
  email: EmailSetup;
  pdf: PdfSetup;
}

/**
 * Sets one property of the page, email or PDF settings. Undefined removes it, and the settings with their last
 * property.
 */
export function setProperty<
  P extends keyof Parts,
  K extends keyof Parts[P] & string,
>(editor: Editor, part: P, key: K, value: Parts[P][K] | undefined): void {
  editor.change(
    t("style.changeProperty", { property: describeSchemaProperty([key]) }),
    (draft) => {
      const whole: object = { ...draft[part], [key]: value };
      if (value === undefined) Reflect.deleteProperty(whole, key);
      if (Object.keys(whole).length === 0 && part !== "email")
        Reflect.deleteProperty(draft, part);
      else Reflect.set(draft, part, whole);
    },
    `${part}.${key}`,
  );
}

type Setting = "locale" | "currency" | "timeZone" | "fileName";

/** Sets a property of the whole template; undefined removes it. */
export function setRootProperty(
  editor: Editor,
  key: Setting,
  value: string | undefined,
): void {
  editor.change(
    t("style.changeProperty", { property: describeSchemaProperty([key]) }),
    (draft: Draft<ProjectData>) => {
      if (value === undefined) delete draft[key];
      else draft[key] = value;
    },
    key,
  );
}
