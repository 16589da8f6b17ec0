import { docusealPlugin } from "../../../plugins/docuseal/plugin.js";
import { FakeDocuseal } from "../../support/fakes/docuseal/fake-docuseal.js";
import { useProvider } from "../use-provider.js";

export const useDocuseal = () =>
  useProvider(docusealPlugin, () => FakeDocuseal.start());
