import { Column, Entity, Index, PrimaryColumn } from "typeorm";
import { id, instant, line } from "../columns.js";

@Entity("user")
@Index("ux_user_email", ["email"], { unique: true })
export class User {
  @PrimaryColumn(id) id!: string;
  @Column(line) name!: string;
  /** In lower case: the same address belongs to one user. */
  @Column(line) email!: string;
  /** URL of a portrait. */
  @Column({ type: "varchar", length: 2048, nullable: true }) image!:
    string | null;
  @Column(instant) createdAt!: Date;
  @Column(instant) updatedAt!: Date;
}
