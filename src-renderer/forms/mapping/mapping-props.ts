/** What each part of the form of a mapping is given. */

import type { Mapping } from './field-mapping.ts'

export interface MappingProps {
  readonly mapping: Mapping
  readonly onEdit: (mapping: Mapping) => void
}
