const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Whether a text has the form of an id. The server rejects a request with any other text as invalid. */
export const isId = (text: string): boolean => UUID.test(text);
