/** In whose organization and name something is made. */
export interface TemplateOwner {
  organizationId: string;
  userId: string;
}
