/** Hands on named values, with what arrived or without it. */

import type { JsonObject } from '../../model/json.ts'
import { isJsonObject } from '../../model/json.ts'
import type { TaskRun } from '../task.ts'
import { completed } from '../task.ts'
import { plainData } from './plain-data.ts'
import type { SetValuesParameters } from './spec.ts'

export const setValuesRun: TaskRun<SetValuesParameters> = {
  execute({ values, keep }, { input }) {
    const before: JsonObject = keep === 'none' ? {} : isJsonObject(input) ? input : { value: input }
    return completed({ ...before, ...(plainData(values) as JsonObject) })
  },
}
