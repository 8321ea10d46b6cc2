// Generated from openapi.json by `npm run schema`.
/** The parameters of the error codes that have some; retryAfter is in seconds. */
export type ErrorParams = {
  account_restricted: { leaving: boolean };
  address_banned: { contact: string; notOfAge: boolean };
  age_wait: { retryAfter?: number };
  claimed: { minutes: number; name: string };
  data_unreachable: { retryAfter?: number };
  decided: { decision: string; name: string };
  input_above_max: { max: number };
  input_below_min: { min: number };
  input_not_above_min: { min: number };
  input_not_below_max: { max: number };
  input_not_multiple: { of: number };
  input_other_value: { allowed: string };
  input_other_word: { allowed: string };
  input_too_few: { min: number };
  input_too_long: { max: number };
  input_too_many: { max: number };
  input_too_many_chosen: { max: number };
  input_too_short: { min: number };
  rate_limited: { retryAfter?: number };
  text_too_long: { max: number };
  too_fast: { activity: string; retryAfter?: number };
  too_often: { retryAfter?: number };
  unavailable: { retryAfter?: number };
};
