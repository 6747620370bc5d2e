'use strict';

// string-list as services of older installations are written; it runs here unchanged.
const Service = require('modules/rest/lib/interfaces/Service');
const F = require('core/FunctionCodes');

const fields = ['string_text', 'string_miltilinetext'];

/**
 * @param {{dataRepo: object, stringClassName: string}} options
 */
function LegacyList(options) {
  this._route = function (router) {
    this.addHandler(router, '/', 'POST', function (req) {
      const conditions = fields
        .filter((name) => req.body && req.body[name])
        .map((name) => ({ [F.EQUAL]: ['$' + name, req.body[name]] }));
      let filter = null;
      if (conditions.length === 1) {
        filter = conditions[0];
      } else if (conditions.length > 1) {
        filter = { [F.AND]: conditions };
      }
      return options.dataRepo.getList(options.stringClassName, { filter: filter }).then(function (list) {
        return {
          data: list.map(function (item) {
            const result = {};
            const properties = item.getProperties();
            Object.keys(properties).forEach(function (name) {
              result[name] = properties[name].getValue();
            });
            return result;
          }),
        };
      });
    });
  };
}

LegacyList.prototype = new Service();
module.exports = LegacyList;
