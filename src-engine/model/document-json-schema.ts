/** The form of a workflow document as JSON Schema, for editors of other programs. */

import { z } from 'zod'
import type { JsonObject } from './json.ts'
import { workflowSchema } from './workflow-schema.ts'

/** Draft 2020-12, made from the schema that reads documents, so that the two can't differ. */
export function documentJsonSchema(): JsonObject {
  // zod's own type for a JSON Schema has optional fields; as data it is a JSON object.
  const schema = z.toJSONSchema(workflowSchema, { io: 'input', unrepresentable: 'any' }) as JsonObject
  return {
    ...schema,
    title: 'Sagasmith workflow',
    description: 'A workflow as Sagasmith saves it. Fields that are not listed are kept.',
  }
}
