/** Words of playing and watching. */
export default { en: {}, ja: {}, zh: {} };
