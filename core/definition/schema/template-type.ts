export const TEMPLATE_TYPES = ["document", "email"] as const;
export type TemplateType = (typeof TEMPLATE_TYPES)[number];
