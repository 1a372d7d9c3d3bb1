/** To whom the mail of a question goes. Pure. */

import type { ApprovalOccasion } from '../../model/approval.ts'
import type { ApprovalParameters } from './spec.ts'

/** Addresses as a mail has them; those of urgent questions beside the others. */
export function mailedPeople(
  { mailTo, mailUrgentTo, escalates }: Pick<ApprovalParameters, 'mailTo' | 'mailUrgentTo' | 'escalates'>,
  occasion: ApprovalOccasion,
): string {
  const all = occasion === 'escalated' && escalates ? [mailTo, mailUrgentTo].flat() : [mailTo].flat()
  return all
    .map((people) => people.trim())
    .filter((people) => people !== '')
    .join(', ')
}
