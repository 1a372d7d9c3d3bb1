/** Which of the document's sets of mocks test runs take. */

import { mockSetsOf } from '../commands/mocks.ts'
import type { Designer } from './designer.ts'

/** The chosen set, while the workflow has it. */
export function chosenMocks(designer: Designer): string | null {
  const { mockSet } = designer.view.getState()
  const sets = mockSetsOf(designer.document.getState().history.document)
  return mockSet !== null && sets.includes(mockSet) ? mockSet : null
}
