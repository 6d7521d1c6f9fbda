import { isSameJson, type JsonObject, type JsonValue } from '@vestibule/protocol/json';

/** A member that a change adds, removes or replaces. */
export interface MemberChange {
  readonly member: string;
  /** Absent if the change adds the member. */
  readonly before?: JsonValue;
  /** Absent if the change removes the member. */
  readonly after?: JsonValue;
}

/** Lists the members in which two registrations differ, in the order of the new one and then of the earlier one. */
export function memberChanges(before: JsonObject, after: JsonObject): readonly MemberChange[] {
  const names = [...new Set([...Object.keys(after), ...Object.keys(before)])];
  return names.flatMap((member) => {
    const [earlier, next] = [before[member], after[member]];
    if (isSameJson(earlier, next)) return [];
    return [
      {
        member,
        ...(earlier !== undefined && { before: earlier }),
        ...(next !== undefined && { after: next }),
      },
    ];
  });
}
